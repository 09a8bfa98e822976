import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repositoryPath } from "../../dev/content/compile.ts";
import { createProject } from "./content/project.ts";

const yaml = (name: string) => `name: ${name}\ndescription: A test.\n`;
const python = (name: string, ...cases: string[]) =>
  [
    "from taskweaver.plugin import register_plugin, test_plugin",
    `@register_plugin\ndef ${name}(value):\n    print("noise")\n    return value * 2`,
    ...cases,
  ].join("\n\n");
const testCase = (name: string, body: string) =>
  `@test_plugin(name="${name}", description="")\ndef test_${name}(api_call):\n    ${body}`;

async function runTests(projectPath: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(
    process.execPath,
    [join(repositoryPath, "dev/test-plugins.ts"), "--project", projectPath],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output };
}

it("npm run test:plugins runs the cases of all plugins and tells which failed", async () => {
  using project = createProject({
    "plugins/good.yaml": yaml("good"),
    "plugins/good.py": python("good", testCase("twice", "assert api_call(2) == 4")),
    "plugins/bad.yaml": yaml("bad"),
    "plugins/bad.py": python("bad", testCase("thrice", "assert api_call(2) == 6, 'it is no six'")),
    "plugins/broken.yaml": yaml("broken"),
    "plugins/broken.py": "import not_there\n",
  });
  const { code, output } = await runTests(project.path);
  expect(output).toContain("ok     good: twice");
  expect(output).toMatch(/FAILED bad: thrice\n[^]*AssertionError: it is no six/);
  expect(output).toMatch(/FAILED broken: it can be loaded\n[^]*No module named 'not_there'/);
  expect(output).toContain("1 passed, 2 failed");
  expect(code).toBe(1);
});

it("the plugins that come with the server pass theirs", async () => {
  const { code, output } = await runTests(repositoryPath);
  expect(output).toMatch(/\d+ passed, 0 failed/);
  expect(code).toBe(0);
});
