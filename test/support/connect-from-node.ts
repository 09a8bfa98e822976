import type { Connect } from "../../src/sandbox/jupyter/kernel-channel.ts";

/** Node's WebSocket takes headers as well, in its own way. */
export const connectFromNode: Connect = async (url, headers) => {
  const Socket = WebSocket as unknown as new (url: string, options: object) => WebSocket;
  const socket = new Socket(url.replace(/^http/, "ws"), { headers });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error("no WebSocket")));
  });
  return socket;
};
