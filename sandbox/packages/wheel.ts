/** What a wheel's file name says. */
export interface Wheel {
  file: string;
  name: string;
  version: string;
  /** Which interpreters it is for, as `py3-none-any`. */
  tags: string;
}

/** Undefined for a name that is none of a wheel: `name-version-python-abi-platform.whl`. */
export function parseWheelName(file: string): Wheel | undefined {
  const parts = file.endsWith(".whl") ? file.slice(0, -4).split("-") : [];
  const [name, version] = parts;
  if ((parts.length !== 5 && parts.length !== 6) || !name || !version) return undefined;
  return { file, name: normalName(name), version, tags: parts.slice(-3).join("-") };
}

/** Whether it has no machine code, or what it has is for this build of Pyodide, as `2026_0` of Python 3.14. */
export function fitsPyodide(wheel: Wheel, { abi, python }: { abi: string; python: string }): boolean {
  const [pythons = [], abis = [], platforms = []] = wheel.tags.split("-").map((part) => part.split("."));
  const [major, minor] = python.split(".");
  const current = `cp${major}${minor}`;
  if (platforms.includes("any"))
    return abis.includes("none") && pythons.some((tag) => /^(py3|cp3)/.test(tag));
  const ours = platforms.some((tag) => tag === `pyemscripten_${abi}_wasm32`);
  return ours && (abis.includes(current) || abis.includes("abi3"));
}

/** As package indexes compare names. */
export const normalName = (name: string) => name.toLowerCase().replaceAll(/[-_.]+/g, "-");
