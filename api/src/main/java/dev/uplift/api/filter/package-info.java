/// The query parameter `filter` of lists: an expression in the language of selections.
///
/// Start at [Filters]. What an expression means stands in `activities.selection`; here is what it
/// may ask of a row, and how a list that is filtered goes on from page to page.
@NullMarked
package dev.uplift.api.filter;

import org.jspecify.annotations.NullMarked;
