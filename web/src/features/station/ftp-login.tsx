import { useState } from 'react';
import { dataOf } from '../../../../src/client/kensa-api.ts';
import type { Schemas } from '../../../../src/client/shapes.ts';
import { api, ofStation } from '../../api/kensa.ts';
import { ActionButton } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { t } from '../../i18n/text.ts';

type Login = Schemas['FtpLogin'];

/** Makes a new password, and shows it once: only its hash is kept. */
export function FtpLoginDialog({ stationId, onClose }: { stationId: string; onClose: () => void }) {
  const [login, setLogin] = useState<Login>();
  const renew = async () =>
    setLogin(await dataOf(api.POST('/api/v1/stations/{station_id}/ftp_login', ofStation(stationId))));
  return (
    <Dialog title={t('newFtpPassword')} onClose={onClose}>
      {login ? (
        <FtpLogin login={login} />
      ) : (
        <div className="flex flex-col items-start gap-3">
          <p>{t('newFtpPasswordHint')}</p>
          <ActionButton label={t('newFtpPassword')} look="danger" action={renew} />
        </div>
      )}
    </Dialog>
  );
}

export function FtpLogin({ login }: { login: Login }) {
  return (
    <div className="flex flex-col gap-3">
      <p className="rounded-md bg-warn-soft px-3 py-2 text-warn">{t('ftpLoginOnce')}</p>
      <TextField label={t('ftpUser')} readOnly value={login.user} />
      <TextField label={t('password')} readOnly value={login.password} />
    </div>
  );
}
