/** Whether a menu or a list is unfolded: then Escape is its own and closes nothing else. */
export function isPopupOpen(): boolean {
  return document.querySelector('[role=listbox]:popover-open, [role=menu]:popover-open') !== null
}
