/** Runs a write to the browser's storage. Returns false if there is no room for it. */
export function isRoomFor(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'QuotaExceededError') return false;
    throw error;
  }
}
