from statistics import quantiles

from taskweaver.plugin import Plugin, register_plugin


@register_plugin
class FindOutliers(Plugin):
    def __call__(self, values, factor=None):
        numbers = [float(value) for value in values]
        if len(numbers) < 4:
            raise ValueError(f"find_outliers needs at least 4 numbers, got {len(numbers)}")
        if factor is None:
            factor = float(self.config.get("default_factor", 1.5))
        lower, _, upper = quantiles(numbers, n=4, method="inclusive")
        margin = factor * (upper - lower)
        fences = (lower - margin, upper + margin)
        outliers = [number for number in numbers if not fences[0] <= number <= fences[1]]
        self.log("info", f"{len(outliers)} of {len(numbers)} numbers are outliers")
        return outliers, fences
