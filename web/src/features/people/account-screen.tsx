import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, readSession } from '../../api/kensa.ts';
import { session } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNote, Form, TextField } from '../../components/field.tsx';
import { Card, Facts, Page, PageHeader } from '../../components/page.tsx';
import { errorText } from '../../components/toast.tsx';
import { t, timeText } from '../../i18n/text.ts';
import { useStore } from '../../store.ts';

/** The own account. */
export function AccountScreen() {
  const account = useStore(session).session?.account;
  if (!account) return null;
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
