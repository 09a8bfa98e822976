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
  state: "idle" | "running";
  createdAt: number;
  updatedAt: number;
}
