/** Runs a write to the browser's storage. Returns false if the storage is full. */
export function isRoomFor(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'QuotaExceededError') return false;
    throw error;
  }
}
