/** Each role may do what the roles before it may. */
export const roles = ['viewer', 'inspector', 'engineer', 'admin'] as const;
export type Role = (typeof roles)[number];

/** What a machine client may do: everything, or no more than a role. */
export const scopes = ['all', ...roles] as const;
export type Scope = (typeof scopes)[number];

export const roleOf = (scope: Scope): Role => (scope === 'all' ? 'admin' : scope);

export const mayAct = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);
