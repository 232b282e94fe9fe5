package dev.uplift.agent.command;

import dev.uplift.protocol.Event;

/// The end of a log.
final class LogTail {
  private static final int MAX_CHARS = Event.MAX_LOG_BYTES;

  private final StringBuilder text = new StringBuilder();

  synchronized void add(String line) {
    text.append(line).append('\n');
    if (text.length() > 2 * MAX_CHARS) {
      text.delete(0, text.length() - MAX_CHARS);
    }
  }

  @Override
  public synchronized String toString() {
    return text.toString();
  }
}
