import { describe, expect, it } from "vitest";
import { checkOutboundUrl } from "../../src/lib/outbound-url.ts";

describe("the guard of addresses that others give", () => {
  it.each([
    "http://example.com",
    "https://user:pass@example.com",
    "https://example.com:8443",
    "https://localhost",
    "https://localhost.",
    "https://printer.local",
    "https://db.internal",
    "https://intranet",
    "https://127.0.0.1",
    "https://0x7f.1",
    "https://2130706433",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]",
    "https://[::ffff:10.0.0.1]",
    "https://me.workers.test",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "not a url",
    "",
  ])("refuses %s", (url) => {
    expect(() => checkOutboundUrl(url)).toThrow(/can't be fetched/);
  });

  it("refuses the deployment's own host, however it is written", () => {
    const ownHosts = ["agent.example.com"];
    for (const url of ["https://agent.example.com/v1", "https://AGENT.example.com./v1"]) {
      expect(() => checkOutboundUrl(url, { ownHosts })).toThrow(/own host/);
    }
  });

  it("lets public https addresses through", () => {
    for (const url of [
      "https://example.com",
      "https://sub.example.co.uk/a?b=c#d",
      "https://bücher.example",
    ]) {
      expect(checkOutboundUrl(url).protocol).toBe("https:");
    }
  });
});
