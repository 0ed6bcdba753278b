import { Tabs as Primitive } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';

interface TabsProps<Id extends string> {
  label: string;
  tabs: Readonly<Partial<Record<Id, string>>>;
  current: Id;
  onChange: (id: Id) => void;
  /** The panel of the current tab. */
  children: ReactNode;
}

/** A row of tabs with the panel of the current one. The arrow keys move along the row. */
export function Tabs<Id extends string>({ label, tabs, current, onChange, children }: TabsProps<Id>) {
  const chosen = useRef<string>(current);
  useEffect(() => {
    chosen.current = current;
  }, [current]);
  // A click reports its tab twice, by the press and by the focus. The address must change once.
  const choose = (id: string) => {
    if (chosen.current === id) return;
    chosen.current = id;
    onChange(id as Id);
  };
  return (
    <Primitive.Root value={current} onValueChange={choose} className="flex min-w-0 flex-col gap-3">
      <Primitive.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
        {(Object.keys(tabs) as Id[]).map((id) => (
          <Primitive.Trigger
            key={id}
            value={id}
            className="-mb-px min-h-10 shrink-0 -outline-offset-2 border-b-2 border-transparent px-3 font-medium text-ink-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {tabs[id]}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      <Primitive.Content value={current} tabIndex={-1} className="outline-none">
        {children}
      </Primitive.Content>
    </Primitive.Root>
  );
}
