import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Takes the names of local variables out of all classes below a folder: only a debugger asks for
/// them, and the cache would keep each. Line numbers stay, because every stack trace has them.
///
/// Needs what the classes refer to on its class path.
final class StripLocalVariables {
  private StripLocalVariables() {}

  public static void main(String[] args) throws IOException {
    ClassFile classes =
        ClassFile.of(
            ClassFile.DebugElementsOption.DROP_DEBUG,
            ClassFile.ConstantPoolSharingOption.NEW_POOL);
    ClassTransform stripped = ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL);
    try (Stream<Path> all = Files.walk(Path.of(args[0]))) {
      List<Path> files = all.filter(each -> each.toString().endsWith(".class")).toList();
      for (Path file : files) {
        Files.write(file, classes.transformClass(classes.parse(file), stripped));
      }
    }
  }
}
