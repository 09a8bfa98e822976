from statistics import fmean, pstdev

from taskweaver.plugin import Plugin, register_plugin, test_plugin

FAR = 3


@register_plugin
class AnomalyDetection(Plugin):
    def __call__(self, df, time_col_name: str, value_col_name: str):
        """Marks what lies more than three standard deviations from the mean."""
        columns = list(df.columns) if hasattr(df, "columns") else sorted({key for row in df for key in row})
        for name in (time_col_name, value_col_name):
            if name not in columns:
                raise ValueError(f"There is no column {name!r}; the columns are: {', '.join(map(str, columns))}")
        return self.mark_frame(df, time_col_name, value_col_name) if hasattr(df, "columns") else self.mark_rows(
            df, time_col_name, value_col_name
        )

    def mark_frame(self, df, time_column, value_column):
        import pandas

        marked = df.copy()
        marked[time_column] = pandas.to_datetime(marked[time_column])
        marked = marked.sort_values(time_column)
        values = pandas.to_numeric(marked[value_column])
        low, high = self.limits(values.dropna().tolist(), value_column)
        marked["Is_Anomaly"] = (values < low) | (values > high)
        times = marked.loc[marked["Is_Anomaly"], time_column].astype(str).tolist()
        return marked, self.describe(times, len(marked), value_column)

    def mark_rows(self, rows, time_column, value_column):
        ordered = sorted(rows, key=lambda row: str(row[time_column]))
        values = [None if row[value_column] in (None, "") else float(row[value_column]) for row in ordered]
        low, high = self.limits([value for value in values if value is not None], value_column)
        marked = [
            {**row, "Is_Anomaly": value is not None and not low <= value <= high} for row, value in zip(ordered, values)
        ]
        times = [str(row[time_column]) for row in marked if row["Is_Anomaly"]]
        return marked, self.describe(times, len(marked), value_column)

    def limits(self, values, value_column):
        if not values:
            raise ValueError(f"The column {value_column!r} holds no numbers")
        mean, deviation = fmean(values), pstdev(values)
        return mean - FAR * deviation, mean + FAR * deviation

    def describe(self, times, count, value_column):
        if not times:
            return f"No anomaly was found in the {count} values of {value_column}."
        shown = ", ".join(times[:10]) + (f" and {len(times) - 10} more" if len(times) > 10 else "")
        return f"{len(times)} of the {count} values of {value_column} are anomalies: at {shown}."


def series():
    days = [{"day": f"2026-01-{day:02}", "sales": 100 + day % 3} for day in range(1, 31)]
    days[17]["sales"] = 900
    return days


@test_plugin(name="rows without pandas", description="the one value far out is found")
def test_rows(api_call):
    marked, description = api_call(list(reversed(series())), "day", "sales")
    assert [row["day"] for row in marked if row["Is_Anomaly"]] == ["2026-01-18"], marked
    assert marked[0]["day"] == "2026-01-01", "the rows are in the order of time"
    assert description == "1 of the 30 values of sales are anomalies: at 2026-01-18.", description


@test_plugin(name="data frame", description="the same with pandas, where that is there")
def test_frame(api_call):
    try:
        import pandas
    except ImportError:
        return
    marked, description = api_call(pandas.DataFrame(series()), "day", "sales")
    assert marked["Is_Anomaly"].sum() == 1 and "2026-01-18" in description, description


@test_plugin(name="nothing far", description="a flat series has no anomaly")
def test_flat(api_call):
    marked, description = api_call([{"day": "1", "sales": 5}, {"day": "2", "sales": "5"}], "day", "sales")
    assert not any(row["Is_Anomaly"] for row in marked)
    assert description == "No anomaly was found in the 2 values of sales.", description
