import "vitest";

/** What the global setup hands to the tests in workerd. */
declare module "vitest" {
  interface ProvidedContext {
    modelUrl: string;
    sandboxUrl: string;
    sandboxToken: string;
    /** A server whose contexts are CPython, undefined where that can't be had; it has the same token. */
    cpythonUrl: string | undefined;
    /** A Jupyter Server, undefined where there is none. */
    jupyter: { url: string; token: string } | undefined;
  }
}
