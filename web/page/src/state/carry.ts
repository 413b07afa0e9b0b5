/// Carries the ships of a question over to another view.
import { newScenario, newPoint, newShip, newShot, roles, rulesOf, type Scenario, type Question, type Rules, type Shot, type View } from './question';
import { readAddress } from './address';
import { carryFight, squadsOf } from './fight';

function scenarioOf(question: Question): Scenario | undefined {
  switch (question.view) {
    case 'attack':
    case 'advise':
    case 'luck':
    case 'survive':
      return question.scenario;
    case 'compare': {
      const [first] = question.items;
      const targets = question.targets.length > 0 ? question.targets : [];
      if (!first || targets.length === 0) return undefined;
      const on = targets.map((ship) => ship.id);
      const ship = { ...first.ship, locks: first.ship.locks.length > 0 ? on.slice(0, 1) : [] };
      return { ships: [ship, ...targets], shots: [{ ...first.shot, by: ship.id, on }], rules: question.rules };
    }
    default:
      return undefined;
  }
}

/// A loadout has no defense dice.
function withoutDefenseFaces({ faces, ...shot }: Shot): Shot {
  const { defense_rolled: _rolled, defense_results: _results, ...attack } = faces ?? {};
  return Object.keys(attack).length > 0 ? { ...shot, faces: attack } : shot;
}

/// The edition and the card set apply to every view. Objective, policies and engine belong to one question.
const sharedRules = ({ rules, cards }: Rules): Rules => ({ ...(rules ? { rules } : {}), ...(cards ? { cards } : {}) });

export function carry(question: Question, view: View): Question {
  const rules = sharedRules(rulesOf(question));
  const scenario = scenarioOf(question) ?? { ...newScenario(), rules };
  switch (view) {
    case 'attack':
      return { view, scenario };
    case 'advise':
      return { view, scenario: { ...scenario, rules: { ...scenario.rules } }, point: newPoint() };
    case 'luck': {
      // The dice of Should I? are those of the attack that is judged.
      const point = question.view === 'advise' ? question.point : newPoint();
      return { view, scenario, point, me: 'attacker' };
    }
    case 'home':
    case 'play':
      return { view, rules };
    case 'survive': {
      const { victims: targets } = roles(scenario);
      const theirs = new Set(roles(scenario).targets.map((ship) => ship.id));
      // Survive has one target: keep the first, and only the attacks on it.
      const on = targets.slice(0, 1).map((ship) => ship.id);
      const shots = scenario.shots.filter((shot) => !theirs.has(shot.by) && on.some((id) => shot.on.includes(id))).map((shot) => ({ ...shot, on }));
      const ids = new Set([...on, ...shots.map((shot) => shot.by)]);
      const ships = scenario.ships
        .filter((ship) => ids.has(ship.id))
        .map((ship) => ({ ...ship, locks: ship.locks.filter((id) => ids.has(id)) }))
        .map((ship) => (on.includes(ship.id) && !ship.pilot && !ship.ship && !ship.hull ? { ...ship, hull: 4 } : ship));
      return { view, scenario: { ships, shots, rules: scenario.rules } };
    }
    case 'compare': {
      const { shooters, victims: targets } = roles(scenario);
      const items = shooters.slice(0, 6).map((ship) => {
        const shot = scenario.shots.find((other) => other.by === ship.id) ?? newShot(ship.id, []);
        return { ship: { ...ship, locks: ship.locks.length > 0 ? ['d'] : [] }, shot: { ...withoutDefenseFaces(shot), on: [] }, times: 1 };
      });
      return { view, items, targets: targets.map((ship) => ({ ...ship, locks: [] })), by: 'mean', rules: scenario.rules };
    }
    case 'hazards':
      return { view, hazard: 'proximity-mine', ships: [newShip({ ship: 't65xwing' })], numbers: {}, times: 1, rules };
    case 'battle':
    case 'gauntlet':
      return carryFight(question, view, rules);
    case 'squad': {
      const [mine, theirs] = squadsOf(question);
      return { view, ...(mine ? { squad: mine } : {}), ...(theirs ? { against: theirs } : {}), range: 2, rules };
    }
    case 'cards': {
      const fresh = readAddress(`#v1/${view}`).question;
      return { ...fresh, rules } as Question;
    }
  }
}
