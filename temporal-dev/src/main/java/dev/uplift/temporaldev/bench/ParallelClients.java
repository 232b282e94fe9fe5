package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.CliException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/// Sends requests by several clients in parallel, like operators and scripts.
final class ParallelClients {
  private static final int CLIENT_COUNT = 16;

  /// Runs the task for each name in parallel. Blocks until all are done; throws the first failure.
  void forEach(List<String> names, Consumer<String> work) {
    try (ExecutorService clients = Executors.newFixedThreadPool(CLIENT_COUNT)) {
      List<Future<?>> all = new ArrayList<>();
      for (String name : names) {
        all.add(clients.submit(() -> work.accept(name)));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CliException(CliException.FAILED, "interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CliException failed) {
        throw failed;
      }
      throw new IllegalStateException(e);
    }
  }
}
