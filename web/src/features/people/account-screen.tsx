import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { pinOpens } from '../../../../src/roles.ts';
import { api, readSession } from '../../api/kensa.ts';
import { type Account, may, type PageSession, session } from '../../api/session.ts';
import { ActionButton, Button } from '../../components/button.tsx';
import { ErrorNote, Form, TextField } from '../../components/field.tsx';
import { Card, Facts, Page, PageHeader } from '../../components/page.tsx';
import { errorText } from '../../components/toast.tsx';
import { t, timeText } from '../../i18n/text.ts';
import { useStore } from '../../store.ts';

/** The own account. */
export function AccountScreen() {
  const current = useStore(session).session;
  if (!current?.account) return null;
  const { account, terminal, pin_role: pinRole } = current;
  const facts = [
    [t('name'), account.name],
    [t('role'), t(`role.${account.role}`)],
    [t('signedInUntil'), timeText(account.expires_at)],
  ] as const;
  return (
    <Page>
      <PageHeader title={t('accountTitle')} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Card title={account.name}>
          <Facts facts={facts} className="grid-cols-[auto_1fr] gap-x-6" />
        </Card>
        {account.kind === 'user' && account.method === 'password' && <PasswordCard />}
        {account.kind === 'user' && <PinCard account={account} pinRole={pinRole} />}
        {account.kind === 'user' && may('engineer') && <TerminalCard name={terminal?.name} method={account.method} />}
      </div>
    </Page>
  );
}

function PasswordCard() {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      await api.PUT('/api/v1/session/password', { body: { current, password } });
      // The sessions of the old password are over, this one too.
      await readSession();
    },
  });
  const field = (value: string, onChange: (value: string) => void) => ({
    type: 'password',
    required: true,
    value,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  });
  return (
    <Card title={t('changePassword')}>
      <Form onSubmit={mutate} className="flex flex-col gap-4">
        <TextField label={t('currentPassword')} autoComplete="current-password" {...field(current, setCurrent)} />
        <TextField
          label={t('newPassword')}
          hint={t('passwordHint')}
          autoComplete="new-password"
          minLength={8}
          maxLength={200}
          {...field(password, setPassword)}
        />
        {error && <ErrorNote>{errorText(error)}</ErrorNote>}
        <Button label={t('changePassword')} type="submit" className="self-start" disabled={isPending} />
      </Form>
    </Card>
  );
}

const setPin = async (pin: string | null): Promise<void> => {
  await api.PUT('/api/v1/session/pin', { body: { pin } });
  await readSession();
};

/** The PIN by which this person takes over a shared terminal. */
function PinCard({ account, pinRole }: { account: Account; pinRole: PageSession['pin_role'] }) {
  const [pin, setTyped] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => setPin(pin),
    onSuccess: () => setTyped(''),
  });
  const highest = pinRole === 'none' ? t('pinsOff') : t('pinsUpTo', { role: t(`role.${pinRole}`) });
  const obstacle = !pinOpens(pinRole, account.role)
    ? highest
    : account.method === 'pin'
      ? t('pinNeedsPassword')
      : undefined;
  return (
    <Card title={t('pinTitle')}>
      <p className="mb-3 text-ink-soft">{obstacle ?? t('pinHint')}</p>
      {account.has_pin && <p className="mb-3">{t('pinIsSet')}</p>}
      {!obstacle && (
        <Form onSubmit={mutate} className="flex flex-col gap-4">
          <TextField
            label={t('newPin')}
            hint={t('pinRule')}
            name="new-pin"
            type="password"
            inputMode="numeric"
            autoComplete="off"
            required
            pattern="[0-9]{4,8}"
            maxLength={8}
            value={pin}
            onChange={(event) => setTyped(event.target.value.replace(/\D/g, ''))}
          />
          {error && <ErrorNote>{errorText(error)}</ErrorNote>}
          <div className="flex flex-wrap gap-2">
            <Button label={t('setPin')} type="submit" disabled={isPending || pin.length < 4} />
            {account.has_pin && <ActionButton label={t('removePin')} look="danger" action={() => setPin(null)} />}
          </div>
        </Form>
      )}
    </Card>
  );
}

/** Makes this browser a terminal at which people take turns by PIN, or ends that. */
function TerminalCard({ name, method }: { name: string | undefined; method: Account['method'] }) {
  const [typed, setTyped] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      await api.PUT('/api/v1/session/terminal', { body: { name: typed.trim() } });
      await readSession();
    },
  });
  const disable = async () => {
    await api.DELETE('/api/v1/session/terminal');
    await readSession();
  };
  return (
    <Card title={t('terminalTitle')}>
      <p className="mb-3 text-ink-soft">{t('terminalHint')}</p>
      {name !== undefined && (
        <>
          <p className="mb-3">{t('terminalIs', { name })}</p>
          <ActionButton label={t('terminalEnd')} look="danger" action={disable} />
        </>
      )}
      {name === undefined && method === 'pin' && <p>{t('pinNeedsPassword')}</p>}
      {name === undefined && method !== 'pin' && (
        <Form onSubmit={mutate} className="flex flex-col gap-4">
          <TextField
            label={t('terminalName')}
            required
            maxLength={100}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          {error && <ErrorNote>{errorText(error)}</ErrorNote>}
          <Button label={t('terminalMake')} type="submit" className="self-start" disabled={isPending} />
        </Form>
      )}
    </Card>
  );
}
