import type { PinRole, Role } from '../roles.ts';
import { say, type TextCode } from './message.ts';

const statusNames = {
  queued: 'model-status.queued',
  training: 'model-status.training',
  ready: 'model-status.ready',
  failed: 'model-status.failed',
  cancelled: 'model-status.cancelled',
} as const satisfies Record<string, TextCode>;

const roleNames = {
  none: 'role.none',
  viewer: 'role.viewer',
  inspector: 'role.inspector',
  engineer: 'role.engineer',
  admin: 'role.admin',
} as const satisfies Record<Role | PinRole, TextCode>;

/** The status of a model in a message, in the language of the message. */
export const nameOfStatus = (status: keyof typeof statusNames) => say(statusNames[status]);

/** A role in a message, in the language of the message. */
export const nameOfRole = (role: Role | PinRole) => say(roleNames[role]);
