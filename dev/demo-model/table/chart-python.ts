import { lines, pythonString } from "../python-literal.ts";
import { groupingPython, measurePython, orderPython } from "./figures-python.ts";
import { nameMeasure, nameQuestion, type TableQuestion } from "./question.ts";

type Chart = Extract<TableQuestion, { ask: "chart" }>;

/** Draws the figures of the groups as an SVG file: Python's standard library has nothing that draws. */
export function chartPython(question: Chart): string {
  const { shape, measure, by, order, limit } = question;
  const title = nameQuestion({
    ask: "figures",
    measures: [measure],
    by: [by],
    where: question.where,
    order,
    limit,
  });
  const across = by.period ? `${by.period} of ${by.column}` : by.column;
  const file = chartFile(question);
  return lines(
    groupingPython([by]),
    "table = [",
    `    (name, [${measurePython(measure, "group")}])`,
    "    for name, group in sorted(groups.items(), key=lambda item: group_order(item[0]))",
    "]",
    order && orderPython(order),
    limit !== undefined && `table = table[:${limit}]`,
    "points = [(name, values[0]) for name, values in table if values[0] is not None]",
    "",
    DRAW,
    `svg = draw("${shape}", points, title=${pythonString(title)}, across=${pythonString(across)}, up=${pythonString(nameMeasure(measure))})`,
    `Path("${file}").write_text(svg, encoding="utf-8")`,
    `print(${pythonString(`${shape} chart of the ${title}:`)}, len(points), "points, written to ${file}")`,
  );
}

/** Told from the question, so that another chart of the session doesn't overwrite this one. */
export function chartFile({ shape, measure, by, file }: Chart): string {
  if (file) return file;
  const words = `${nameMeasure(measure)} by ${by.period ?? ""} ${by.column}`.normalize("NFKD").toLowerCase();
  const slug = words
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60);
  return `${shape}-${slug}.svg`;
}

const DRAW = `
def draw(shape, points, title, across, up):
    width, height, left, top, bottom = max(480, 110 + 44 * len(points)), 400, 90, 50, 110
    values = [value for _, value in points] or [0]
    low, high = min(0, *values), max(0, *values)
    high = high if high > low else low + 1
    step = (width - left - 20) / max(1, len(points))
    y = lambda value: top + (high - value) / (high - low) * (height - top - bottom)
    x = lambda position: left + (position + 0.5) * step
    text = lambda content, at_x, at_y, more="": f'<text x="{at_x:.1f}" y="{at_y:.1f}" {more}>{escape(str(content))}</text>'
    parts = [f'<rect width="{width}" height="{height}" fill="white"/>', text(title, width / 2, 24, 'text-anchor="middle" font-size="15"')]
    for tick in range(6):
        value = low + (high - low) * tick / 5
        parts.append(f'<line x1="{left}" x2="{width - 20}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#ddd"/>')
        parts.append(text(f"{value:,.6g}", left - 6, y(value) + 4, 'text-anchor="end"'))
    if shape == "bar":
        for position, (name, value) in enumerate(points):
            parts.append(f'<rect x="{x(position) - step * 0.35:.1f}" y="{min(y(value), y(0)):.1f}" width="{step * 0.7:.1f}" height="{abs(y(value) - y(0)):.1f}" fill="#4477aa"><title>{escape(name)}: {value}</title></rect>')
    else:
        path = " ".join(f"{x(position):.1f},{y(value):.1f}" for position, (_, value) in enumerate(points))
        parts.append(f'<polyline points="{path}" fill="none" stroke="#4477aa" stroke-width="2"/>')
        for position, (name, value) in enumerate(points):
            parts.append(f'<circle cx="{x(position):.1f}" cy="{y(value):.1f}" r="3" fill="#4477aa"><title>{escape(name)}: {value}</title></circle>')
    for position, (name, _) in enumerate(points):
        label = name if len(name) <= 16 else name[:15] + "…"
        at = f"{x(position):.1f},{height - bottom + 16}"
        parts.append(text(label, x(position), height - bottom + 16, f'text-anchor="end" transform="rotate(-35 {at})"'))
    parts.append(f'<line x1="{left}" x2="{left}" y1="{top}" y2="{height - bottom}" stroke="black"/>')
    parts.append(f'<line x1="{left}" x2="{width - 20}" y1="{y(0):.1f}" y2="{y(0):.1f}" stroke="black"/>')
    parts.append(text(across, (left + width) / 2, height - 10, 'text-anchor="middle"'))
    parts.append(text(up, 16, (top + height - bottom) / 2, f'text-anchor="middle" transform="rotate(-90 16,{(top + height - bottom) / 2})"'))
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">' + "".join(parts) + "</svg>"

`;
