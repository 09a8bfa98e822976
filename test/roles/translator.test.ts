import { describe, expect, it } from "vitest";
import { createTranslator } from "../../src/roles/translator.ts";

/** Reads a reply in pieces of the given size, and notes what was told on the way. */
function translate(text: string, size = 3) {
  const told: string[] = [];
  const translator = createTranslator((name, delta, isEnd) =>
    told.push(`${name}:${delta}${isEnd ? "." : ""}`),
  );
  for (let at = 0; at < text.length; at += size) translator.write(text.slice(at, at + size));
  return { outcome: translator.end(), told };
}

describe("the translator", () => {
  it("tells each field as it grows", () => {
    const { outcome, told } = translate('{"response": {"thought": "ab\\ncd", "message": "hello there"}}');
    expect(outcome).toEqual({ ok: true, fields: { thought: "ab\ncd", message: "hello there" } });
    const ofMessage = told.filter((entry) => entry.startsWith("message:"));
    expect(ofMessage.length).toBeGreaterThan(2);
    expect(ofMessage.map((entry) => entry.slice("message:".length).replace(/\.$/, "")).join("")).toBe(
      "hello there",
    );
    expect(told.at(-1)).toMatch(/\.$/);
  });

  it.each([1, 2, 7, 1000])("gives the same fields in pieces of %i", (size) => {
    const text = '{"response":{"a":"x\\"}{","b":"\\u00e4\\ud83d\\ude00","c":"}"}}';
    expect(translate(text, size).outcome).toEqual({ ok: true, fields: { a: 'x"}{', b: "ä😀", c: "}" } });
  });

  it.each([
    ["a code fence", '```json\n{"response":{"a":"1"}}\n```'],
    ["words around", 'Here it is: {"response":{"a":"1"}} Hope it {helps}!'],
    ["unknown keys before", '{"note":"yyy","response":{"a":"1"}}'],
    ["a second object", '{"response":{"a":"1"}}{"response":{"a":"2"}}'],
  ])("passes over %s", (_what, text) => {
    expect(translate(text).outcome).toEqual({ ok: true, fields: { a: "1" } });
  });

  it("makes text of what isn't", () => {
    const { outcome } = translate(
      '{"response":{"n":12,"b":true,"z":null,"l":["x",1],"o":{"k":"v"},"last":"!"}}',
    );
    expect(outcome).toEqual({
      ok: true,
      fields: { n: "12", b: "true", z: "", l: '["x",1]', o: '{"k":"v"}', last: "!" },
    });
  });

  it.each([
    ["cut off in a string", '{"response":{"a":"1","b":"hal', /cut off/],
    ["cut off between fields", '{"response":{"a":"1",', /cut off/],
    ["cut off before the last brace", '{"response":{"a":"1"}', /cut off/],
    ["no JSON", "I am sorry.", /no JSON/],
    ["broken JSON", '{"response":{"a" "1"}}', /not valid JSON/],
    ["no response", '{"answer":"42"}', /no fields/],
    ["nothing", "", /no JSON/],
  ])("says what is wrong with a reply that is %s", (_what, text, error) => {
    const { outcome } = translate(text);
    expect(outcome).toMatchObject({ ok: false, error: expect.stringMatching(error) });
  });
});
