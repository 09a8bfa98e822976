/** Sessions are named by their tenant's choice, so nothing addresses one without its tenant. */
export interface SessionRef {
  tenant: string;
  id: string;
}

export interface Session extends SessionRef {
  roles: string[];
  title: string | null;
  metadata: Record<string, unknown>;
  variables: Record<string, string>;
  /** Counts the times that the variables were set: of two holdings the one with the higher number is the newer. */
  variablesVersion: number;
  state: "idle" | "running";
  createdAt: number;
  updatedAt: number;
}
