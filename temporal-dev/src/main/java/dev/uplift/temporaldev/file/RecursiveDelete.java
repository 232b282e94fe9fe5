package dev.uplift.temporaldev.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// Deletes folders with their content.
public final class RecursiveDelete {
  private RecursiveDelete() {}

  /// Deletes a folder with its content; links are deleted, not followed.
  public static void delete(Path folder) {
    try {
      Files.walkFileTree(folder, new DeletingVisitor());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class DeletingVisitor extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
        throws IOException {
      if (failure != null) {
        throw failure;
      }
      Files.delete(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
