/** A whole TaskWeaver Edge that was started on this machine. */
export interface Stack {
  url: string;
  modelName: string;
  demoModel: boolean;
  stop(): Promise<void>;
}

export interface StackOptions {
  ports?: "free" | "configured";
  projectPath?: string;
  stateDir?: string;
  onStatus?: (text: string) => void;
}

export type StartStack = (options: StackOptions) => Promise<Stack>;
