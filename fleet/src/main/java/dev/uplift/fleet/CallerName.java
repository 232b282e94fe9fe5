package dev.uplift.fleet;

/// The names of callers, as they are recorded and compared. A caller of an issuer of tokens is named by the issuer and
/// by the account there, `corp#ann`; the subject of a token of the server itself has no `#`.
public final class CallerName {
  private static final char SEPARATOR = '#';

  private CallerName() {}

  public static String ofIssuer(String issuer, String account) {
    return issuer + SEPARATOR + account;
  }

  public static boolean hasIssuer(String name) {
    return name.indexOf(SEPARATOR) >= 0;
  }

  /// Returns whether two names may be those of one person: the same account, also of different issuers. An approval has
  /// to come from another person, so a doubt counts as yes.
  public static boolean maybeSamePerson(String one, String other) {
    return account(one).equalsIgnoreCase(account(other));
  }

  private static String account(String name) {
    return name.substring(name.indexOf(SEPARATOR) + 1);
  }
}
