"use strict";
/* Unpacks the page's data, then runs the scripts that draw it. The data stands in the page because
   no script may read another file of a folder that was opened without a server. */

(async () => {
  const place = document.getElementById("report");
  try {
    const packed = Uint8Array.from(atob(place.textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    place.textContent = await new Response(stream).text();
  } catch (error) {
    const note = document.createElement("p");
    note.textContent = `This page cannot be drawn here: ${error.message}. Browsers of 2023 or later can.`;
    document.getElementById("content").prepend(note);
    return;
  }
  for (const address of place.dataset.scripts.split(" ")) {
    const script = document.createElement("script");
    script.src = address;
    script.async = false;
    document.body.append(script);
  }
})();
