package dev.uplift.e2e;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/// The classes of all programs, without tests, as rules about them read them.
final class UpliftClasses {
  static final JavaClasses UPLIFT =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("dev.uplift");

  /// Excludes types of annotation processors: their names begin with a dollar sign, or end with `Intercepted`.
  static final DescribedPredicate<JavaClass> ARE_WRITTEN_BY_HAND =
      DescribedPredicate.describe(
          "are written by hand",
          type ->
              !type.isAnonymousClass()
                  && !type.getSimpleName().equals("package-info")
                  && !type.getName().contains("$Intercepted")
                  && !type.getName().substring(type.getPackageName().length()).startsWith(".$"));

  private UpliftClasses() {}
}
