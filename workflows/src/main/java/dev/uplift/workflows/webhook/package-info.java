/// The deliveries of a webhook as a workflow: it sends what has happened, one event after the other, and waits until
/// there is more, or until the receiver may be tried again.
///
/// Start at [WebhookDeliveryImpl]. The tables know what is delivered: neither state nor history grows with it, and a
/// run that is long continues as new.
///
/// Every type here is in stored histories: from version 0.1.0 on fields may be added, never renamed or removed.
@NullMarked
package dev.uplift.workflows.webhook;

import org.jspecify.annotations.NullMarked;
