package dev.uplift.agent.driver;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/// A request to a driver to halt its package, or to have it resume.
///
/// @param id the same for the same request; of a host that resumes by itself, one of its own
/// @param barrier its name
/// @param until when the host resumes by itself, by the server's clock
/// @param timeout how long the server waits for the answer; zero: it does not say
/// @param log receives lines for people
public record HaltRequest(String id, String barrier, Instant until, Duration timeout, Consumer<String> log) {}
