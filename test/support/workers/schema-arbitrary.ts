import * as fc from "fast-check";

export type Schema = {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  contentEncoding?: string;
};

const MOST = 30;

/** Values that fit a schema of the description: with the limits that it states, the awkward ones among them. */
export function schemaArbitrary(schema: Schema, components: Record<string, Schema>): fc.Arbitrary<unknown> {
  const of = (inner: Schema) => schemaArbitrary(inner, components);
  if (schema.$ref) return of(components[schema.$ref.replace("#/components/schemas/", "")]!);
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(of));
  switch (schema.type) {
    case "string": {
      if (schema.contentEncoding === "base64") return fc.base64String({ maxLength: MOST });
      if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern, "u"));
      const maxLength = Math.min(schema.maxLength ?? MOST, MOST);
      return fc.string({ minLength: schema.minLength ?? 0, maxLength, unit: "binary" });
    }
    case "integer":
      return fc.integer({ min: schema.minimum ?? -1000, max: Math.min(schema.maximum ?? 1000, 100_000) });
    case "number":
      return fc.double({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(of(schema.items ?? {}), { maxLength: Math.min(schema.maxItems ?? 4, 4) });
    case "object":
      return objectArbitrary(schema, of);
    default:
      return fc.jsonValue();
  }
}

function objectArbitrary(
  schema: Schema,
  of: (inner: Schema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const named = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, of(inner)])),
    { requiredKeys: required },
  );
  if (!additionalProperties) return named;
  const others = additionalProperties === true ? {} : additionalProperties;
  const names = schema.propertyNames
    ? of(schema.propertyNames)
    : fc.string({ maxLength: MOST, unit: "binary" });
  const more = fc.dictionary(names as fc.Arbitrary<string>, of(others), { maxKeys: 4 });
  return fc.tuple(named, more).map(([own, extra]) => ({ ...extra, ...own }));
}
