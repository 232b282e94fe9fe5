/// The query parameter `filter` of lists: an expression in the language of selections.
///
/// Start at [Filters]. `services.selection` defines the language; here is what an expression may ask of a row, and how
/// a filtered list continues from page to page.
@NullMarked
package dev.uplift.api.filter;

import org.jspecify.annotations.NullMarked;
