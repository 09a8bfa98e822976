import type { CompiledFolder } from "./experience.ts";

/** Where a lesson is filed: whose it is, on which shelf, in which folder of it. */
export interface Place {
  owner: string;
  shelf: string;
  subPath: string;
}

/** A folder of the project's lessons, by the name that it is configured under. */
export interface ProjectFolder {
  name: string;
  compiled: CompiledFolder;
}

/** What is every role's. */
const ALL_ROLES = "all";

export const ownerOfTenant = (tenant: string): string => `tenant:${tenant}`;
export const tenantOfOwner = (owner: string): string | undefined =>
  owner.startsWith("tenant:") ? owner.slice("tenant:".length) : undefined;
/** Another content of a folder is another owner, so that two versions of a Worker don't undo each other's work. */
export const PROJECT_PREFIX = "project:";
export const ownerOfFolder = ({ name, compiled }: ProjectFolder): string =>
  `${PROJECT_PREFIX}${compiled.hash}:${name}`;

export const shelfOfRole = (role: string | null): string => (role === null ? ALL_ROLES : `role:${role}`);
export const roleOfShelf = (shelf: string): string | null =>
  shelf.startsWith("role:") ? shelf.slice("role:".length) : null;

/** Where lessons for a role are, in a folder of that name; for null what is every role's, for undefined all there are. */
export function placesFor(options: {
  tenant: string;
  role: string | null | undefined;
  folders: ProjectFolder[];
  subPath: string;
}): (Omit<Place, "shelf"> & { shelf?: string })[] {
  const { tenant, role, folders, subPath } = options;
  const owner = ownerOfTenant(tenant);
  const shelves =
    role === undefined ? [undefined] : role === null ? [ALL_ROLES] : [shelfOfRole(role), ALL_ROLES];
  return [
    ...shelves.map((shelf) => ({ owner, subPath, ...(shelf === undefined ? {} : { shelf }) })),
    ...folders.map((folder) => ({ owner: ownerOfFolder(folder), shelf: folder.name, subPath })),
  ];
}
