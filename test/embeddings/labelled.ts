/** Lessons on twelve topics, and questions in other words than the lessons', each with the lesson that it is about. */
export const lessons: Record<string, string> = {
  csv_numbers:
    "Columns of numbers in a CSV often hold blanks, n/a or thousands separators. Look at a few values before computing, convert with care, and say how many values were left out.",
  dates:
    "Dates come in several formats. Parse them with an explicit format, check that day and month are not swapped, and keep the time zone.",
  chart:
    "When a chart is asked for, label both axes with units, give it a title and save it as a PNG file instead of showing it.",
  sql: "Query the database read-only. Use parameters for values, add LIMIT when exploring a table, and name the columns instead of selecting all.",
  outliers:
    "Before averaging measurements, look for outliers with the quartile fences. Report the mean with and without them.",
  forecast:
    "For forecasting a time series, hold the last months back as a test set and compare with the naive forecast before trusting a model.",
  missing:
    "Missing values: say how many rows lack a value, never fill them silently, and ask which way of imputing is wanted.",
  duplicates:
    "Customers appear twice under slightly different spelling. Remove duplicates by email, not by name, before counting customers.",
  currency:
    "Amounts are in different currencies. Convert them to euro with the rate of the booking day before adding them up.",
  pdf: "Text drawn from a PDF loses its table structure. Use the table extraction with a line strategy and check the number of columns on each page.",
  email:
    "When writing an e-mail to a customer, keep it under one hundred and fifty words, address them by family name and never promise a delivery date.",
  anomaly:
    "Anomaly detection on server logs: aggregate error counts per minute, compare with the same weekday of earlier weeks, and report only spikes that last.",
};

export const questions: [question: string, about: string][] = [
  ["compute the average of the price column in sales.csv", "csv_numbers"],
  ["the numbers in my csv have commas as thousands separators, sum them", "csv_numbers"],
  ["convert the date column, it is like 03/04/2024", "dates"],
  ["which month has the most orders? dates are texts in day.month.year", "dates"],
  ["draw a bar chart of revenue per region", "chart"],
  ["plot the temperature, with labelled axes", "chart"],
  ["list the ten largest orders from the database", "sql"],
  ["query the table of users by their city", "sql"],
  ["what is the mean of these measurements?", "outliers"],
  ["are there outliers in the sensor data?", "outliers"],
  ["forecast next quarter's demand", "forecast"],
  ["predict the time series for the coming months", "forecast"],
  ["fill in the missing values of age", "missing"],
  ["how many rows lack a value?", "missing"],
  ["how many customers do we have?", "duplicates"],
  ["remove duplicate entries from the customer list", "duplicates"],
  ["sum up the amounts of all bookings in euro", "currency"],
  ["total spending, some of it is in dollars, convert currencies", "currency"],
  ["extract the table on page 3 of report.pdf", "pdf"],
  ["get the text out of this PDF", "pdf"],
  ["write an email to customer Miller about the late delivery", "email"],
  ["draft an e-mail that answers a complaint", "email"],
  ["find anomalies in the server logs", "anomaly"],
  ["did the error counts spike last week?", "anomaly"],
];

/** Questions that none of the lessons is about. */
export const strangers = [
  "hello",
  "who are you?",
  "what is the capital of France?",
  "tell me a joke about cats",
  "is 97 a prime?",
  "translate good morning into Spanish",
  "thank you, that is all",
  "compute the 20th Fibonacci term",
];
