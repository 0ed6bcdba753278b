/** Each role may do what the roles before it may. */
export const roles = ['viewer', 'inspector', 'engineer', 'admin'] as const;
export type Role = (typeof roles)[number];

/** What a machine client may do: everything, or no more than a role. */
export const scopes = ['all', ...roles] as const;
export type Scope = (typeof scopes)[number];

export const roleOf = (scope: Scope): Role => (scope === 'all' ? 'admin' : scope);

export const mayAct = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);

/** The highest role that a PIN opens: never that of administrators. */
export const pinRoles = ['none', 'viewer', 'inspector', 'engineer'] as const;
export type PinRole = (typeof pinRoles)[number];

export const pinOpens = (pinRole: PinRole, role: Role): boolean => pinRole !== 'none' && mayAct(pinRole, role);
