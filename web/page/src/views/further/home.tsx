/// The home view: questions as players ask them, each a tap away from a filled example.
import { words } from '../../words/en';
import { homeWords } from './homeWords';
import './home.css';

export function View() {
  return (
    <main class="homeView" aria-busy="false">
      <section class="homeHead headline" tabIndex={0} aria-label={words.answer}>
        <h1>{homeWords.title}</h1>
        <p class="hint">{homeWords.hint}</p>
      </section>
      {homeWords.groups.map((group) => (
        <section key={group.title} class="homeGroup" aria-label={group.title}>
          <h2>{group.title}</h2>
          <ul>
            {group.questions.map(({ ask, address, where }) => (
              <li key={ask}>
                <a href={address} onClick={() => scrollTo(0, 0)}>
                  <span class="ask">{ask}</span>
                  <small>{where}</small>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </main>
  );
}
