/** Runs a write to the browser's storage. Returns false if it is full, or may not be written. */
export function isRoomFor(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}
