import { Link } from 'react-router';
import type { Overview } from '../../../../src/client/shapes.ts';
import { Card } from '../../components/card.tsx';
import { Icon } from '../../components/icon.tsx';
import { useText } from '../../i18n/use-text.ts';

/** What waits for a person. */
export function ReviewList({ overview }: { overview: Overview }) {
  const t = useText();
  const { inspected } = overview;
  const unjudged = inspected.items - inspected.judged;
  const tasks = [
    inspected.disagreements > 0 && {
      to: '/items?type=prediction&disagrees=true',
      text: t('reviewDisagreements', { n: inspected.disagreements }),
    },
    inspected.ng_unjudged > 0 && {
      to: '/items?type=prediction&result=NG&user_result=none',
      text: t('reviewNg', { n: inspected.ng_unjudged }),
    },
    unjudged > 0 && { to: '/items?type=prediction&user_result=none', text: t('reviewUnjudged') },
    inspected.failed > 0 && {
      to: '/items?type=prediction&status=failed',
      text: t('reviewFailed', { n: inspected.failed }),
    },
  ].filter((task) => task !== false);
  return (
    <Card title={t('toReview')}>
      {tasks.length === 0 && <p className="text-ink-soft">{t('nothingToReview')}</p>}
      <ul className="flex flex-col">
        {tasks.map((task) => (
          <li key={task.to + task.text} className="border-b border-line last:border-0">
            <Link to={task.to} className="flex min-h-11 items-center justify-between gap-2 hover:text-accent">
              {task.text}
              <Icon name="right" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
