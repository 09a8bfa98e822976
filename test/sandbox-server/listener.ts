import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface Listener extends AsyncDisposable {
  port: number;
  /** How many have connected, after waiting a moment for the slow ones. */
  connections(): Promise<number>;
}

/** A server on the loopback interface that greets whoever reaches it. One a probe, so that it is clear whose connection
 *  it was. */
export async function listen(greeting: string): Promise<Listener> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.on("error", () => {});
    socket.end(greeting);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async connections() {
      await sleep(50);
      return count;
    },
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}
