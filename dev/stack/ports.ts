import { createServer } from "node:net";
import { StackError } from "./settings.ts";

const HOST = "127.0.0.1";

/** Binds a port for a moment to see that it can be had; 0 finds a free one. */
function tryPort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(port, HOST, () => {
      const address = server.address();
      const bound = typeof address === "object" && address ? address.port : port;
      server.close(() => resolve(bound));
    });
  });
}

/** The port itself if it is free, any free one for 0. @throws StackError that says how to choose another. */
export async function claimPort(port: number, setting: string): Promise<number> {
  try {
    return await tryPort(port);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const why = code === "EADDRINUSE" ? "is taken by another program" : `can't be used (${code})`;
    throw new StackError(
      `Port ${port} ${why}. Stop that program, or choose another port: ${setting}=${port + 10} npm start`,
      { cause: error },
    );
  }
}
