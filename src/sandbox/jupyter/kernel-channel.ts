import { EVENT_MIME } from "../kernel-programs.ts";

/** In which a kernel that has replied says that it is idle. */
const IDLE_MS = 3000;

/** As much of a WebSocket as is used here. */
export interface KernelSocket {
  send(text: string): void;
  close(): void;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
  addEventListener(type: "close" | "error", listener: () => void): void;
}

export type Connect = (url: string, headers: Record<string, string>) => Promise<KernelSocket>;

interface Message {
  channel: string;
  header: { msg_type: string };
  parent_header?: { msg_id?: string };
  content: { execution_state?: string; data?: Record<string, unknown> };
}

/** A Worker opens WebSockets with headers by fetch. */
export const connectFromWorker: Connect = async (url, headers) => {
  const response = await fetch(url, { headers: { ...headers, upgrade: "websocket" } });
  const { webSocket } = response as { webSocket?: (KernelSocket & { accept(): void }) | null };
  if (!webSocket) throw new Error(`No WebSocket, but ${response.status}`);
  webSocket.accept();
  return webSocket;
};

/**
 * Runs code in the kernel behind the socket, and closes that. An execution has ended when its reply has come and the
 * kernel is idle again, in whichever order. A kernel that dies never replies: the server then tells everybody that it is
 * restarting, in a message without a parent. What it is sent between its end and the start of the next may be lost: then
 * nobody ever answers, and after `patienceMs` it was `unheard`; as it was when only the reply came, and what it has shown went
 * past this connection. The server can't be asked about that: a kernel that has died busy may count as busy until its
 * successor has done something.
 */
export async function runInKernel(
  socket: KernelSocket,
  code: string,
  onEvent: (event: unknown) => void,
  patienceMs: number,
): Promise<"ended" | "died" | "cut" | "unheard"> {
  const id = crypto.randomUUID();
  let patience: ReturnType<typeof setTimeout> | undefined;
  let replied = false;
  let idle = false;
  try {
    return await new Promise((resolve) => {
      socket.addEventListener("close", () => resolve("cut"));
      socket.addEventListener("error", () => resolve("cut"));
      socket.addEventListener("message", ({ data }) => {
        // Binary frames carry what widgets say.
        if (typeof data !== "string") return;
        const { channel, header, parent_header: parent, content } = JSON.parse(data) as Message;
        const state = header.msg_type === "status" ? content.execution_state : undefined;
        if (state === "dead" || state === "restarting" || state === "autorestarting") resolve("died");
        if (parent?.msg_id !== id) return;
        clearTimeout(patience);
        const event = header.msg_type === "display_data" ? content.data?.[EVENT_MIME] : undefined;
        if (event !== undefined) onEvent(event);
        if (channel === "shell" && header.msg_type === "execute_reply") replied = true;
        if (state === "idle") idle = true;
        if (replied && idle) resolve("ended");
        else if (replied) patience = setTimeout(() => resolve("unheard"), IDLE_MS);
      });
      if (patienceMs < Infinity) patience = setTimeout(() => resolve("unheard"), patienceMs);
      socket.send(JSON.stringify(executeRequest(id, code)));
    });
  } finally {
    clearTimeout(patience);
    socket.close();
  }
}

function executeRequest(id: string, code: string) {
  return {
    channel: "shell",
    header: {
      msg_id: id,
      msg_type: "execute_request",
      session: crypto.randomUUID(),
      username: "",
      version: "5.3",
      date: new Date().toISOString(),
    },
    parent_header: {},
    metadata: {},
    content: {
      code,
      silent: false,
      store_history: false,
      user_expressions: {},
      allow_stdin: false,
      stop_on_error: false,
    },
    buffers: [],
  };
}
