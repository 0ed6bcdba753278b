import { IconButton } from '../../components/button.tsx';
import { CompactSelect } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { setLanguage, useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/use-text.ts';
import { setTheme, useTheme } from '../../theme.ts';

export function LanguageSwitch() {
  const t = useText();
  const language = useLanguage();
  return (
    <CompactSelect
      label={t('language')}
      value={language}
      onChange={(event) => setLanguage(event.target.value === 'ja' ? 'ja' : 'en')}
    >
      <option value="en">English</option>
      <option value="ja">日本語</option>
    </CompactSelect>
  );
}

export function ThemeSwitch() {
  const t = useText();
  const theme = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <IconButton label={t(other === 'dark' ? 'darkTheme' : 'lightTheme')} onClick={() => setTheme(other)}>
      <Icon name={other === 'dark' ? 'moon' : 'sun'} />
    </IconButton>
  );
}
