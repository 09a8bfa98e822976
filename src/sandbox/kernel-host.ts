/** A file as it goes over the wire. */
export interface HostFile {
  body: ReadableStream<Uint8Array>;
  size: number;
}

/**
 * Somebody else's IPython kernels and the files beside them, by names that are safe in paths. What our Python needs there:
 * a kernel of its own for each name, started in the folder of that name, and a way to and from files below one root.
 */
export interface KernelHost {
  /** For messages; without secrets. */
  readonly where: string;
  /** Makes folder and kernel, or finds them. */
  ensure(name: string): Promise<void>;
  /**
   * Runs code and tells the displays of our MIME type as they come. `died`: the kernel is gone with what it held; `cut`:
   * the connection is, and the code may still run. The code is one of our programs, which may arrive twice.
   */
  run(name: string, code: string, onEvent: (event: unknown) => void): Promise<"ended" | "died" | "cut">;
  /** May lag behind what the kernel does. Absent where the host can't tell. */
  isBusy?(name: string): Promise<boolean>;
  /** Stops whatever runs when it gets there; our Python has a way of its own that stops what was meant. */
  interrupt?(name: string): Promise<void>;
  /** Kills the kernel; another one takes its place, or is made by `ensure`. */
  restart(name: string): Promise<void>;
  /** Ends the kernel. */
  close(name: string): Promise<void>;
  /** Undefined when there is no such file. */
  readFile(path: string): Promise<HostFile | undefined>;
  /** Makes the folders on the way. */
  writeFile(path: string, file: HostFile): Promise<void>;
  /** Paths of all files in the folder and below, relative to it. */
  listFiles(folder: string): Promise<string[]>;
  /** Files and folders; nothing happens when there is none. */
  remove(path: string): Promise<void>;
}
