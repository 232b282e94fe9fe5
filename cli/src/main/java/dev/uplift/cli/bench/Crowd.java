package dev.uplift.cli.bench;

import dev.uplift.cli.rest.CommandFailed;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/// Several clients at once, as a fleet's operators and scripts are.
final class Crowd {
  private static final int CLIENTS = 16;

  /// Does it for each of them; returns when all are done, and throws what the first one threw.
  void each(List<String> names, Consumer<String> work) {
    try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
      List<Future<?>> all = new ArrayList<>();
      for (String name : names) {
        all.add(clients.submit(() -> work.accept(name)));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailed(CommandFailed.REFUSED, "interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CommandFailed failed) {
        throw failed;
      }
      throw new IllegalStateException(e);
    }
  }
}
