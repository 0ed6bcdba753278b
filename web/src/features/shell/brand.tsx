import { useText } from '../../i18n/use-text.ts';

export function Brand() {
  const t = useText();
  return (
    <span className="inline-flex items-center gap-2.5 whitespace-nowrap text-lg font-semibold tracking-tight">
      <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
        <path d="M5 12V5h7M20 5h7v7M27 20v7h-7M12 27H5v-7" fill="none" stroke="var(--accent)" strokeWidth="3" />
        <circle cx="16" cy="16" r="5.2" fill="none" stroke="currentColor" strokeWidth="3" />
      </svg>
      {t('appName')}
    </span>
  );
}
