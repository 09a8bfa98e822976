/**
 * The reference as a page: it reads `/openapi.json` from where it came itself and needs nothing else, so that it works
 * without the internet. The nonce lets its own script run and no other.
 */
export function referencePage(nonce: string): { html: string; policy: string } {
  const policy = `default-src 'none'; connect-src 'self'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return { policy, html: page.replaceAll("NONCE", nonce) };
}

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>TaskWeaver Edge: the API</title>
<style nonce="NONCE">
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 0 auto; padding: 1rem; }
  summary { cursor: pointer; padding: .3rem 0; }
  summary b { display: inline-block; min-width: 4.2rem; text-transform: uppercase; font-size: .8rem; }
  code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
  pre { overflow-x: auto; padding: .6rem; background: color-mix(in srgb, currentColor 8%, transparent); }
  details > div { padding: 0 0 1rem 1rem; border-left: 2px solid color-mix(in srgb, currentColor 25%, transparent); }
  table { border-collapse: collapse; } td, th { text-align: left; vertical-align: top; padding: .15rem .8rem .15rem 0; }
  td { white-space: pre-line; } .quiet { opacity: .7; }
  input { font: inherit; width: 100%; box-sizing: border-box; padding: .4rem; }
</style>
<h1></h1>
<p id="about"></p>
<input id="filter" type="search" placeholder="Find a route" aria-label="Find a route">
<main>Reading /openapi.json …</main>
<script nonce="NONCE">
  const make = (name, text, ...children) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    element.append(...children);
    return element;
  };
  const row = (...cells) => make("tr", undefined, ...cells.map((cell) => make("td", cell)));
  const table = (title, rows) =>
    rows.length ? [make("h4", title), make("table", undefined, ...rows.map((cells) => row(...cells)))] : [];
  const show = (schema) => make("pre", JSON.stringify(schema, null, 2));
  const schemasOf = (content) =>
    Object.entries(content ?? {}).flatMap(([type, { schema }]) => [make("p", type), ...(schema ? [show(schema)] : [])]);
  const quoted = (text) => "'" + text.replaceAll("'", "'\\\\''") + "'";

  function curl(method, path, operation) {
    const body = operation.requestBody?.content;
    const example = body?.["application/json"]?.example;
    return [
      "curl" + (method === "get" ? "" : " -X " + method.toUpperCase()) + " " + quoted(location.origin + path),
      ...(operation.security?.length === 0 ? [] : ["  -H 'authorization: Bearer $KEY'".replaceAll("'", '"')]),
      ...(example ? ["  -H 'content-type: application/json'", "  -d " + quoted(JSON.stringify(example))] : []),
      ...(body?.["application/octet-stream"] ? ["  --data-binary @FILE"] : []),
    ].join(" \\\\\\n");
  }

  function describe(method, path, operation) {
    const summary = make("summary", undefined, make("b", method), make("code", path), " ", make("span", operation.summary));
    summary.lastChild.className = "quiet";
    const parameters = (operation.parameters ?? []).map(({ name, in: place, description, schema }) => [
      name, place, description ?? (schema.enum ? schema.enum.join(" | ") : (schema.type ?? "")),
    ]);
    const responses = Object.entries(operation.responses);
    const inner = make("div", undefined,
      make("p", operation["x-scope"] ? "Scope: " + operation["x-scope"] : "No key needed"),
      make("pre", curl(method, path, operation)),
      ...table("Parameters", parameters),
      ...(operation.requestBody ? [make("h4", "Body"), ...schemasOf(operation.requestBody.content)] : []),
      ...table("Answers", responses.map(([status, { description }]) => [status, description])),
      ...responses.filter(([status]) => status < 300).flatMap(([, { content }]) => schemasOf(content)),
    );
    const details = make("details", undefined, summary, inner);
    details.id = operation.operationId;
    details.dataset.text = (method + " " + path + " " + operation.summary).toLowerCase();
    return details;
  }

  const main = document.querySelector("main");
  fetch("/openapi.json").then((response) => response.json()).then(({ info, tags, paths, components }) => {
    document.querySelector("h1").textContent = info.title + " " + info.version;
    document.querySelector("#about").textContent = info.description;
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method, path, operation })));
    main.replaceChildren(
      ...tags.flatMap(({ name }) => [
        make("h2", name),
        ...operations.filter(({ operation }) => operation.tags[0] === name)
          .map(({ method, path, operation }) => describe(method, path, operation)),
      ]),
      make("h2", "Shapes"),
      ...Object.entries(components.schemas).map(([name, schema]) => {
        const details = make("details", undefined, make("summary", name), make("div", undefined, show(schema)));
        details.id = name;
        details.dataset.text = name.toLowerCase();
        return details;
      }),
    );
    if (location.hash) document.querySelector(location.hash)?.setAttribute("open", "");
  }).catch((error) => (main.textContent = "The description can't be read: " + error.message));
  document.querySelector("#filter").addEventListener("input", ({ target }) => {
    for (const details of document.querySelectorAll("main > details"))
      details.hidden = !details.dataset.text.includes(target.value.toLowerCase());
  });
</script>
</html>
`;
