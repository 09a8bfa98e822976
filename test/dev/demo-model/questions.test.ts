import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startDemoModel, type DemoModel } from "../../../dev/demo-model/server.ts";
import { EMPLOYEES, ODD_NAMES, SALES, SEMICOLONS, TABS, UNTIDY } from "./csv-samples.ts";
import { playedSession } from "./played-session.ts";
import { pyodideCells, type Cells } from "./pyodide-cells.ts";

let model: DemoModel;
let cells: Cells;

beforeAll(async () => {
  model = await startDemoModel();
  cells = await pyodideCells();
}, 60_000);
afterAll(() => model.close());

async function ask(question: string, files: Record<string, string> = {}) {
  return playedSession({ url: model.url, sandbox: cells.fresh() }).ask(question, files);
}

/** Each answer is worked out here by hand or by other means, never by the code under test. */
const OVER_SALES: [question: string, ...expected: (string | RegExp)[]][] = [
  ["How many rows are there?", "number of rows: 6"],
  ["what columns does it have", "columns: 6", "- region", "- sales"],
  ["show the first 2 rows", /North +\| Widget +\| 2024-01-05/, /South +\| Gadget/],
  ["what is the average price?", "mean of price: 15.798"],
  ["median price", "median of price: 10.01"],
  ["mean and max price", "mean of price: 15.798", "max of price: 24.5"],
  ["what is the highest average price by product", "- Gadget: 24.5", "- Widget: 9.9967"],
  ["min and max price", "min of price: 9.99", "max of price: 24.5"],
  ["total units", "sum of units: 33"],
  ["total sales by region", "- North: 173.4", "- South: 202.58", "- West: 300", "- East: no value"],
  ["mean price per product", "- Gadget: 24.5", "- Gizmo, large: no value", "- Widget: 9.9967"],
  ["which region has the highest sales?", "- West: 300"],
  ["Which product sold the most units", "- Widget: 18"],
  ["which product has the lowest average price", "- Widget: 9.9967"],
  ["which month had the highest sales?", "- 2024-03: 373.5"],
  ["sum of units where region is North", "13"],
  ["number of rows with price over 10", "3"],
  ["total sales in 2024", "595.9"],
  ["total sales in March 2024", "373.5"],
  ["how many units were sold in the South", "13"],
  ["total units since 2024-02-01", "10"],
  ["sales excluding North", "502.58"],
  ["top 2 products by units", "- Widget: 18", "- Gadget: 8"],
  ["what were the 2 highest prices?", /first 2 rows, sorted by price from high to low/, "24.50"],
  ["unique products", "Gizmo, large", ": 3"],
  ["how many different regions are there", "number of distinct values of region: 4"],
  ["how many rows have a missing price", "1"],
  ["list rows with missing units", /East +\| Widget/],
  ["sort by price descending", /South.*\n.*North.*\n.*South/],
  ["correlation between units and price", /correlation between units and price: -0\.\d+ \(4 pairs\)/],
  ["describe the data", "- units: 5 numbers, mean 6.6, median 7, min 3, max 10, 1 blank"],
  ["what is the date range", "2023-12-30", "2024-03-15"],
  ["units by month", "- 2023-12: 8", "- 2024-01: 15", "- 2024-02: no value", "- 2024-03: 10"],
  ["compare North and South sales", "- North: 173.4", "- South: 202.58"],
  ["most common product", "- Widget: 3"],
  ["average price by region and product", "- North, Gadget: 24.5"],
  ["mean price and total units by region", "- North: mean of price 17.245, sum of units 13"],
];

describe("questions about a CSV file", () => {
  it.each(OVER_SALES)("%s", async (question, ...expected) => {
    const answer = await ask(question, { "sales.csv": SALES });
    expect(answer).toMatchObject({ stop: "Completed" });
    expect(answer.instructions).toHaveLength(2);
    for (const part of expected)
      expect(answer.message).toMatch(part instanceof RegExp ? part : literally(part));
  });

  it("loads the file once in a session, and again when it is added again", async () => {
    const session = playedSession({ url: model.url, sandbox: cells.fresh() });
    const first = await session.ask("total units", { "sales.csv": SALES });
    const second = await session.ask("and by region?");
    const third = await session.ask("total units", { "sales.csv": "units\n1\n2\n" });
    expect([first, second, third].map((answer) => answer.instructions.length)).toEqual([2, 1, 2]);
    expect(second.message).toContain("- North: 13");
    expect(third.message).toContain("sum of units: 3");
  });

  it("does several things in one request, also draws", async () => {
    const sandbox = cells.fresh();
    const session = playedSession({ url: model.url, sandbox });
    const answer = await session.ask("load it, then show the mean price by region and draw a bar chart", {
      "sales.csv": SALES,
    });
    expect(answer.message).toContain("- North: 17.245");
    expect(answer.message).toContain("Files: bar-mean-of-price-by-region.svg");
    const svg = sandbox.read("bar-mean-of-price-by-region.svg");
    expect(svg.match(/<rect x=/g)).toHaveLength(3);
    expect(svg).toContain(">mean of price<");
    expect(svg).toContain(">region<");
  });

  it("escapes what it writes into a chart", async () => {
    const sandbox = cells.fresh();
    const answer = await playedSession({ url: model.url, sandbox }).ask("bar chart of total n by tag", {
      "tags.csv": 'tag,n\n"<script>alert(1)</script>",1\n"a & b",2\n',
    });
    expect(answer.stop).toBe("Completed");
    const svg = sandbox.read("bar-sum-of-n-by-tag.svg");
    expect(svg).not.toContain("<script>");
    expect(svg).toContain("a &amp; b");
  });

  it("reads numbers plainly first, fails for real, and mends it", async () => {
    const answer = await ask("what is the total amount?", { "untidy.csv": UNTIDY });
    expect(answer.programs.map((program) => program.ok)).toEqual([true, false, true]);
    expect(answer.programs[1]?.error).toContain("ValueError: could not convert string to float: '1,234'");
    expect(answer.message).toContain("sum of amount: 1300");
    expect(answer.message).toContain("left out as not a number: 1 cells, such as 'n/a'");
  });

  it("loads again when the interpreter lost its memory", async () => {
    const sandbox = cells.fresh();
    const session = playedSession({ url: model.url, sandbox });
    await session.ask("total units", { "sales.csv": SALES });
    sandbox.forget();
    const answer = await session.ask("total units by product");
    expect(answer.programs.map((program) => program.ok)).toEqual([false, true]);
    expect(answer.message).toContain("- Widget: 18");
  });

  it.each([
    ["mean weight", "weight"],
    ["sales by colour", "colour"],
    ["total sales for Berlin", "berlin"],
  ])("asks back about %s", async (question, word) => {
    const answer = await ask(question, { "sales.csv": SALES });
    expect(answer.stop).toBe("Clarification");
    expect(answer.message).toContain(`"${word}"`);
    expect(answer.message).toContain("region, product, date, units, price, sales");
  });

  it("takes a column's name as the answer to its question", async () => {
    const session = playedSession({ url: model.url, sandbox: cells.fresh() });
    await session.ask("mean weight", { "sales.csv": SALES });
    const answer = await session.ask("units");
    expect(answer.message).toContain("mean of units: 6.6");
  });

  it("asks for a file, and goes on when it comes", async () => {
    const session = playedSession({ url: model.url, sandbox: cells.fresh() });
    const asked = await session.ask("what is the mean price by region?");
    expect(asked).toMatchObject({ stop: "Clarification", instructions: [] });
    const answer = await session.ask("here it is", { "sales.csv": SALES });
    expect(answer.message).toContain("- North: 17.245");
  });

  it("says what failed when a file isn't there", async () => {
    const session = playedSession({ url: model.url, sandbox: cells.fresh() });
    const sandboxless = await session.ask("files added: gone.csv.\nhow many rows?");
    expect(sandboxless.stop).toBe("TaskFailure");
    expect(sandboxless.message).toContain("FileNotFoundError");
  });

  it.each(["forecast the sales", "price over 10 or region is North"])(
    "doesn't answer a part of: %s",
    async (question) => {
      const answer = await ask(question, { "sales.csv": SALES });
      expect(answer.stop).toBe("Clarification");
      expect(answer.programs).toHaveLength(1);
    },
  );
});

describe("questions about other tables", () => {
  it.each<[question: string, ...expected: (string | RegExp)[]]>([
    ["What is the average salary per department?", "- Engineering: 90000", "- Sales: 56500"],
    ["Who earns the most?", /\nCarla/],
    ["How many employees are in Engineering?", ": 3"],
    ["Which department has the most employees?", "- Engineering: 3"],
    ["employees older than 35", /Bob[^]*Carla[^]*Eve/],
    ["oldest employee", /\nBob/],
    ["who was hired first?", /\nEve/],
    ["how many employees were hired after 2019-12-31", ": 3"],
    ["Group by city and compute the average salary", "- Berlin: 90000", "- Paris: 56500"],
    ["sort employees by salary in descending order and show the top 3", /Carla[^]*Alice[^]*Eve/],
    ["salary of Alice", "85000"],
    [
      "Plot the average salary by department as a bar chart and save it as salaries.svg",
      "Files: salaries.svg",
    ],
  ])("%s", async (question, ...expected) => {
    const answer = await ask(question, { "employees.csv": EMPLOYEES });
    expect(answer).toMatchObject({ stop: "Completed" });
    for (const part of expected)
      expect(answer.message).toMatch(part instanceof RegExp ? part : literally(part));
  });
});

describe("untidy files", () => {
  it.each<[question: string, file: string, ...expected: string[]]>([
    ["total Größe", SEMICOLONS, "sum of Größe (m²): 1415.25"],
    ["mean preis by stadt", SEMICOLONS, "- A;B: 4", "- Bonn: 9.5", "- Köln: 10.5"],
    ["mean unit price by class", ODD_NAMES, "- A: 2.5", "- B: 2.5"],
    ['sum of say "hi" by class', ODD_NAMES, "- A: 30", "- B: 30"],
    ["total of count by class", ODD_NAMES, "- A: 8", "- B: 9"],
    ["sum of the unit price where class is A", ODD_NAMES, "5"],
    ["mean score", TABS, "mean of score: 15"],
    ["what is the score of O'Neil, how many rows are there", TABS, "number of rows: 3"],
    ["how many rows", "a,b\n", "number of rows: 0"],
    ["how many rows", "a,a,\n1,2,3\n", "number of rows: 1"],
    ["sum of value", "value\n1\n2\n3\n", "sum of value: 6"],
  ])("%s", async (question, file, ...expected) => {
    const answer = await ask(question, { "untidy.csv": file });
    expect(answer.programs.at(-1)).toMatchObject({ ok: true });
    for (const part of expected) expect(answer.message).toContain(part);
  });

  it("says that an empty file holds no table", async () => {
    const answer = await ask("how many rows", { "empty.csv": "" });
    expect(answer.stop).toBe("TaskFailure");
    expect(answer.message).toContain("it is empty");
  });

  it("takes no file that is no table", async () => {
    const answer = await ask("how many rows", { "photo.png": "x" });
    expect(answer).toMatchObject({ stop: "Clarification", instructions: [] });
  });
});

describe("questions without a file", () => {
  it.each([
    ["what is 17*23", "= 391"],
    ["compute 17 * 23 with Python", "= 391"],
    ["with Python, what is 17 * 23?", "= 391"],
    ["What is 2 to the power of 100?", String(2n ** 100n)],
    ["square root of 2 to 10 digits", "= 1.4142135624"],
    ["12% of 340", "= 40.8"],
    ["what is 0.1 + 0.2?", "= 0.3"],
    ["(1+2)*3/4", "= 2.25"],
    ["what is 1/3", "= 0.333333333333333"],
    ["factorial of 20", "2432902008176640000"],
    ["10!", "3628800"],
    ["run this: ```print(6*7)```", "= 42"],
    ["first 10 primes", "2 3 5 7 11 13 17 19 23 29"],
    ["is 97 prime?", "97 is a prime"],
    ["10th fibonacci number", "is 55"],
    ["prime factors of 360", "2 * 2 * 2 * 3 * 3 * 5"],
    ["gcd of 12 and 18", "is 6"],
    ["sum of the numbers from 1 to 100", "is 5050"],
    ["days between 2024-01-15 and 2024-03-01", "there are 46 days"],
    ["what weekday is July 4, 2024?", "Thursday"],
    ["date 45 days after 2024-01-15", "is 2024-02-29"],
    ["what date is 1 month after 2024-01-31", "is 2024-02-29"],
    ["is 2100 a leap year", "is not a leap year"],
    ["mean and median of 3, 5 and 10", "mean: 6.0"],
    ['how many words are in "the quick brown fox"', "words: 4"],
    ['reverse "abc"', "reversed: cba"],
  ])("%s", async (question, expected) => {
    const answer = await ask(question);
    expect(answer).toMatchObject({ stop: "Completed" });
    expect(answer.programs).toHaveLength(1);
    expect(answer.message).toContain(expected);
  });

  it("tells honestly that a division by zero failed", async () => {
    const answer = await ask("what is 5/0");
    expect(answer.stop).toBe("TaskFailure");
    expect(answer.message).toContain("DivisionByZero");
  });

  it.each([
    "hello",
    "thanks!",
    "who are you?",
    "what can you do",
    "write me a poem",
    "```import os\nos.listdir()```",
    "9999999!",
  ])("answers without code: %s", async (question) => {
    const answer = await ask(question);
    expect(answer.instructions).toEqual([]);
    expect(answer.message.endsWith("(demo model: rules, not a language model)")).toBe(true);
  });

  it("says how to plug in a real model when it doesn't understand", async () => {
    const { message } = await ask("write me a poem");
    expect(message).toMatch(/OPENAI_API_KEY.*OPENAI_BASE_URL.*OPENAI_MODEL.*\.dev\.vars/);
  });
});

function literally(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
}
