/** Every kind of act in the audit trail: what it is about, and what was done. */
export const acts = [
  'session.sign-in',
  'session.sign-out',
  'session.refused',
  'user.add',
  'user.change',
  'user.password',
  'user.pin',
  'client.add',
  'client.change',
  'client.revoke',
  'terminal.enable',
  'terminal.disable',
  'item.assess',
  'item.annotate',
  'item.delete',
  'model.train',
  'model.refine',
  'model.cancel',
  'model.parameters',
  'model.callback',
  'model.activate',
  'model.delete',
  'model.import',
  'target.add',
  'target.change',
  'target.default',
  'target.delete',
  'station.add',
  'station.change',
  'station.model',
  'station.delete',
  'labels.change',
  'license.install',
  'reasons.change',
] as const;

export type Act = (typeof acts)[number];

/** Acts for which a reason may be asked: those of a person or client who is signed in and decides something. */
export const actsWithReason = acts.filter((act) => !act.startsWith('session.'));
