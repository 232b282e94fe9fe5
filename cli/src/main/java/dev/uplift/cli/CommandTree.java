package dev.uplift.cli;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/// Builds commands from their annotations, and of those that a command line does not name only what the help of the
/// command above them shows: name, aliases and description.
///
/// Reading the options of all commands takes ten times as long as a command itself. Names and aliases suffice to find a
/// command and to suggest another one for a misspelt word.
final class CommandTree {
  private final Predicate<String> isNamed;

  private CommandTree(Predicate<String> isNamed) {
    this.isNamed = isNamed;
  }

  /// Builds every command in full.
  static CommandTree complete() {
    return new CommandTree(_ -> true);
  }

  /// Builds in full what these arguments of the program name.
  static CommandTree of(String... arguments) {
    // Arguments may be in a file.
    return Stream.of(arguments).anyMatch(argument -> argument.startsWith("@"))
        ? complete()
        : new CommandTree(List.of(arguments)::contains);
  }

  /// Adds a command. If its annotation says `addMethodSubcommands = false`, the commands that are methods of its class
  /// are added here; else picocli builds all of them in full as soon as it is named.
  void add(CommandLine parent, Class<?> type) {
    if (!isNeeded(type)) {
      parent.addSubcommand(outline(type));
      return;
    }
    CommandLine command = new CommandLine(type);
    if (!type.getAnnotation(Command.class).addMethodSubcommands()) {
      for (Method method : CommandLine.getCommandMethods(type, null)) {
        command.addSubcommand(isNeeded(method) ? method : outline(method));
      }
    }
    parent.addSubcommand(command);
  }

  private boolean isNeeded(AnnotatedElement element) {
    Command annotation = element.getAnnotation(Command.class);
    return isNamed.test(annotation.name()) || Stream.of(annotation.aliases()).anyMatch(isNamed);
  }

  private static CommandSpec outline(AnnotatedElement element) {
    Command annotation = element.getAnnotation(Command.class);
    CommandSpec outline = CommandSpec.create().name(annotation.name()).aliases(annotation.aliases());
    outline.usageMessage().description(annotation.description());
    return outline;
  }
}
