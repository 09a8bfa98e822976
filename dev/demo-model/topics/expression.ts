/** A parsed arithmetic expression. Numbers stay the text that was typed, so that no digit is lost. */
export type Expression =
  | { kind: "number"; text: string }
  | { kind: "call"; name: "sqrt" | "factorial" | "negative"; of: Expression }
  | { kind: "operation"; sign: "+" | "-" | "*" | "/" | "%" | "**"; left: Expression; right: Expression };

const TOKEN = /\s*(\d+(?:\.\d+)?|\.\d+|\*\*|[-+*/%^()!]|sqrt)/y;

/** Reads infix arithmetic; undefined unless the whole text is one. */
export function parseExpression(text: string): Expression | undefined {
  const tokens = tokenize(text);
  if (!tokens) return undefined;
  let next = 0;
  const take = (...wanted: string[]) => (wanted.includes(tokens[next] ?? "") ? tokens[next++] : undefined);

  function sum(): Expression | undefined {
    return chain(product, ["+", "-"]);
  }

  function product(): Expression | undefined {
    return chain(signed, ["*", "/", "%"]);
  }

  function chain(part: () => Expression | undefined, signs: string[]): Expression | undefined {
    let left = part();
    for (let sign = take(...signs); left && sign; sign = take(...signs)) {
      const right = part();
      if (!right) return undefined;
      left = { kind: "operation", sign: sign as "+", left, right };
    }
    return left;
  }

  function signed(): Expression | undefined {
    if (take("+")) return signed();
    if (!take("-")) return power();
    const of = signed();
    return of && { kind: "call", name: "negative", of };
  }

  function power(): Expression | undefined {
    const left = factorial();
    if (!left || !take("**", "^")) return left;
    const right = signed();
    return right && { kind: "operation", sign: "**", left, right };
  }

  function factorial(): Expression | undefined {
    let of = atom();
    while (of && take("!")) of = { kind: "call", name: "factorial", of };
    return of;
  }

  function atom(): Expression | undefined {
    if (take("sqrt")) {
      const of = atom();
      return of && { kind: "call", name: "sqrt", of };
    }
    if (take("(")) {
      const inner = sum();
      return take(")") ? inner : undefined;
    }
    const digits = tokens?.[next];
    if (!digits || !/\d/.test(digits)) return undefined;
    next++;
    return { kind: "number", text: digits };
  }

  const whole = sum();
  return next === tokens.length ? whole : undefined;
}

function tokenize(text: string): string[] | undefined {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (;;) {
    const from = TOKEN.lastIndex;
    const token = TOKEN.exec(text)?.[1];
    if (!token) return text.slice(from).trim() === "" ? tokens : undefined;
    tokens.push(token);
  }
}

/** Every part of the expression, itself included. */
export function* partsOf(expression: Expression): Generator<Expression> {
  yield expression;
  if (expression.kind === "call") yield* partsOf(expression.of);
  if (expression.kind === "operation") {
    yield* partsOf(expression.left);
    yield* partsOf(expression.right);
  }
}

/** The expression as people write it. */
export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case "number":
      return expression.text;
    case "call": {
      const inner = printExpression(expression.of);
      if (expression.name === "sqrt") return `sqrt(${inner})`;
      const operand = expression.of.kind === "number" ? inner : `(${inner})`;
      return expression.name === "factorial" ? `${operand}!` : `-${operand}`;
    }
    case "operation":
      return [expression.left, expression.right]
        .map((part) => (part.kind === "operation" ? `(${printExpression(part)})` : printExpression(part)))
        .join(` ${expression.sign} `);
  }
}
