/** Gives the focus to the row before or after that of a button, or else to the screen: the row is about to go. */
export function leaveRow(button: Element): void {
  const row = button.closest('li');
  const other = row?.previousElementSibling ?? row?.nextElementSibling;
  (other?.querySelector('button') ?? document.getElementById('content'))?.focus();
}
