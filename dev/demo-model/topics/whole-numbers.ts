import { lines } from "../python-literal.ts";
import type { Work } from "./work.ts";

const LARGEST_COUNT = 10_000;
const LARGEST_NUMBER = 10 ** 12;

const IS_PRIME = `def is_prime(number):
    if number < 2:
        return False
    divisor = 2
    while divisor * divisor <= number:
        if number % divisor == 0:
            return False
        divisor += 1
    return True

`;

/** Primes, Fibonacci numbers, factors, common divisors and multiples, sums of ranges. */
export function wholeNumbers(text: string): Work | undefined {
  const plain = text.toLowerCase().replace(/(\d),(?=\d{3}\b)/g, "$1");
  return primes(plain) ?? fibonacci(plain) ?? factors(plain) ?? common(plain) ?? range(plain);
}

function primes(text: string): Work | undefined {
  const listed = upTo(/\bfirst (\d+) primes?\b/.exec(text)?.[1], LARGEST_COUNT);
  if (listed) {
    return {
      instruction: `List the first ${listed} primes.`,
      python: lines(
        IS_PRIME,
        "primes = []",
        "number = 2",
        `while len(primes) < ${listed}:`,
        "    if is_prime(number):",
        "        primes.append(number)",
        "    number += 1",
        `print("the first ${listed} primes:", *primes)`,
      ),
    };
  }
  const nth = upTo(/\b(\d+)(?:st|nd|rd|th) prime\b/.exec(text)?.[1], LARGEST_COUNT);
  if (nth) {
    return {
      instruction: `What is the ${nth}th prime?`,
      python: lines(
        IS_PRIME,
        "found = 0",
        "number = 1",
        `while found < ${nth}:`,
        "    number += 1",
        "    found += is_prime(number)",
        `print("prime number ${nth} is", number)`,
      ),
    };
  }
  const limit = upTo(
    /\bprimes?(?: numbers)? (?:below|under|less than|smaller than|up to|until) (\d+)/.exec(text)?.[1],
    1_000_000,
  );
  if (limit) {
    const included = /up to|until/.test(text);
    const asked = `${/\bsum\b/.test(text) ? "sum of" : /how many|number of|count/.test(text) ? "number of" : "all"} primes ${included ? "up to" : "below"} ${limit}`;
    const shown = asked.startsWith("sum")
      ? "sum(primes)"
      : asked.startsWith("number")
        ? "len(primes)"
        : "*primes";
    return {
      instruction: `Find the ${asked}.`,
      python: lines(
        IS_PRIME,
        `primes = [number for number in range(2, ${limit + (included ? 1 : 0)}) if is_prime(number)]`,
        `print("${asked}:", ${shown})`,
      ),
    };
  }
  const tested = upTo(/\bis (\d+) (?:a )?prime\b/.exec(text)?.[1], LARGEST_NUMBER);
  if (tested === undefined) return undefined;
  return {
    instruction: `Is ${tested} a prime?`,
    python: lines(
      IS_PRIME,
      `print("${tested} is a prime" if is_prime(${tested}) else "${tested} is not a prime")`,
    ),
  };
}

function fibonacci(text: string): Work | undefined {
  if (!/fibonacci/.test(text)) return undefined;
  const nth = upTo(/\b(\d+)(?:st|nd|rd|th) fibonacci/.exec(text)?.[1], LARGEST_COUNT);
  const listed = upTo(
    /\bfirst (\d+) fibonacci/.exec(text)?.[1] ??
      /fibonacci (?:numbers?|sequence|series)? ?(?:up )?to (\d+) terms/.exec(text)?.[1],
    1000,
  );
  const count = nth ?? listed;
  if (!count) return undefined;
  return {
    instruction: nth
      ? `What is the ${nth}th Fibonacci number?`
      : `List the first ${count} Fibonacci numbers.`,
    python: lines(
      "numbers = [0, 1]",
      `while len(numbers) <= ${count}:`,
      "    numbers.append(numbers[-1] + numbers[-2])",
      nth
        ? `print("Fibonacci number ${nth} is", numbers[${nth}], "(counting from F(1) = F(2) = 1)")`
        : `print("the first ${count} Fibonacci numbers:", *numbers[:${count}])`,
    ),
  };
}

function factors(text: string): Work | undefined {
  const number = upTo(
    /\b(?:prime )?(?:factors|factori[sz]ation) of (\d+)/.exec(text)?.[1] ??
      /\bfactori[sz]e (\d+)/.exec(text)?.[1],
    LARGEST_NUMBER,
  );
  if (!number) return undefined;
  return {
    instruction: `Find the prime factors of ${number}.`,
    python: lines(
      `rest = ${number}`,
      "factors = []",
      "divisor = 2",
      "while divisor * divisor <= rest:",
      "    while rest % divisor == 0:",
      "        factors.append(divisor)",
      "        rest //= divisor",
      "    divisor += 1",
      "if rest > 1:",
      "    factors.append(rest)",
      `print("${number} =", " * ".join(str(factor) for factor in factors) or "${number}")`,
    ),
  };
}

function common(text: string): Work | undefined {
  const found =
    /\b(gcd|greatest common divisor|hcf|lcm|(?:least|lowest) common multiple) (?:of |\()?(\d+) ?(?:,|and) ?(\d+)/.exec(
      text,
    );
  if (!found) return undefined;
  const [name, words] = /lcm|multiple/.test(found[1] ?? "")
    ? ["lcm", "least common multiple"]
    : ["gcd", "greatest common divisor"];
  const pair = `${Number(found[2])} and ${Number(found[3])}`;
  return {
    instruction: `What is the ${words} of ${pair}?`,
    python: lines(
      "import math",
      "",
      `print("the ${words} of ${pair} is", math.${name}(${pair.replace(" and", ",")}))`,
    ),
  };
}

function range(text: string): Work | undefined {
  const found =
    /\bsum of (?:all )?(?:the )?(?:whole |natural )?(?:numbers |integers )(?:from )?(\d+) (?:to|through|until) (\d+)/.exec(
      text,
    );
  if (!found) return undefined;
  const [first, last] = [upTo(found[1], LARGEST_NUMBER), upTo(found[2], LARGEST_NUMBER)];
  if (first === undefined || last === undefined || last - first > 10_000_000) return undefined;
  return {
    instruction: `What is the sum of the numbers from ${first} to ${last}?`,
    python: `print("the sum of the numbers from ${first} to ${last} is", sum(range(${first}, ${last} + 1)))`,
  };
}

/** The number, unless working with it would take the sandbox too long. */
function upTo(text: string | undefined, limit: number): number | undefined {
  const number = Number(text ?? Number.NaN);
  return number <= limit ? number : undefined;
}
